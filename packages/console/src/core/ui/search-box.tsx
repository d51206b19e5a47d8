import { Kbd, TextInput } from "@mantine/core";
import { useHotkeys, useMediaQuery } from "@mantine/hooks";
import { useRef, useState, type FormEvent } from "react";
import { useLocation } from "wouter";
import { IconSearch } from "./icons.js";
import { useQueryState } from "./query-state.js";
import { texts } from "./texts.js";

/** A complete API key is searched by its prefix and stays out of addresses and logs. */
const completeApiKey = /(ghk_[0-9A-Za-z]{6})[0-9A-Za-z]+/g;

interface SearchLabels {
  label: string;
  placeholder: string;
}

/** The search box in the header. Ctrl-K, Cmd-K or / focuses it. */
export function SearchBox(labels: SearchLabels) {
  const [path, navigate] = useLocation();
  const { params } = useQueryState();
  const shown = path === "/search" ? (params.get("q") ?? "") : "";
  return (
    <SearchField
      key={shown}
      {...labels}
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
}: SearchLabels & { shown: string; onSearch: (text: string) => void }) {
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
    const wanted = text.trim().replaceAll(completeApiKey, "$1");
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
          rightSection={isWide ? <Kbd size="xs">{texts.searchShortcut}</Kbd> : null}
          rightSectionWidth={isWide ? 64 : undefined}
          rightSectionPointerEvents="none"
        />
      </form>
    </search>
  );
}
