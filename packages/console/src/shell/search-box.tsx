import { Kbd, TextInput } from "@mantine/core";
import { useHotkeys, useMediaQuery } from "@mantine/hooks";
import { IconSearch } from "../ui/icons.js";
import { useRef, useState, type FormEvent } from "react";
import { useLocation } from "wouter";
import { useQueryState } from "../ui/query-state.js";

/** The one search box. Ctrl-K, Cmd-K or / from anywhere; Enter opens the whole life of what was found. */
export function SearchBox() {
  return (
    <Search label="Search records, runs and leads" placeholder="Search by reference, UUID, e-mail or plate" />
  );
}

/** The same for operators, outside of any organization. */
export function SearchEverywhereBox() {
  return (
    <Search
      label="Search in all organizations"
      placeholder="Search by request id, referenceUuid, key prefix or organization"
    />
  );
}

/** A key that was pasted whole is looked for by its beginning, and stays out of addresses, histories and logs. */
const wholeKey = /(ghk_[0-9A-Za-z]{6})[0-9A-Za-z]+/g;

interface Words {
  label: string;
  placeholder: string;
}

function Search(words: Words) {
  const [path, navigate] = useLocation();
  const { params } = useQueryState();
  const shown = path === "/search" ? (params.get("q") ?? "") : "";
  return (
    <SearchField
      key={shown}
      {...words}
      shown={shown}
      onSearch={(text) => navigate(`/search?q=${encodeURIComponent(text)}`)}
    />
  );
}

function SearchField({
  label,
  placeholder,
  shown,
  onSearch,
}: Words & { shown: string; onSearch: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(shown);
  const isWide = useMediaQuery("(min-width: 48em)");
  const focus = () => {
    input.current?.focus();
    input.current?.select();
  };
  useHotkeys([["mod+K", focus]], []);
  useHotkeys([["/", focus]]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const wanted = text.trim().replaceAll(wholeKey, "$1");
    setText(wanted);
    if (wanted !== "") onSearch(wanted);
  }

  return (
    <search>
      <form onSubmit={submit}>
        <TextInput
          ref={input}
          type="search"
          aria-label={label}
          placeholder={placeholder}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={isWide ? <Kbd size="xs">Ctrl K</Kbd> : null}
          rightSectionWidth={isWide ? 64 : undefined}
          rightSectionPointerEvents="none"
        />
      </form>
    </search>
  );
}
