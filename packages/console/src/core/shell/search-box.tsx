import { Combobox, Kbd, TextInput, useCombobox } from "@mantine/core";
import { useHotkeys, useMediaQuery } from "@mantine/hooks";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { useLocation } from "wouter";
import { Slot } from "../features.js";
import { IconSearch } from "../ui/icons.js";
import { useQueryState } from "../ui/query-state.js";
import { useCommands } from "./commands.js";
import { useRecentPages } from "../session/recent-pages.js";
import styles from "./search-box.module.css";
import { texts } from "./texts.js";

/** A complete API key is searched by its prefix and stays out of addresses and logs. */
const completeApiKey = /(ghk_[0-9A-Za-z]{6})[0-9A-Za-z]+/g;

/** In the header: goes to pages, runs commands, and searches. Ctrl-K, Cmd-K or / focuses it. */
export function SearchBox() {
  const [path] = useLocation();
  const { params } = useQueryState();
  const searched = path === "/search" ? (params.get("q") ?? "") : "";
  // A new field forgets the text and the selected option.
  const [round, setRound] = useState(0);
  return <SearchField key={`${round} ${searched}`} searched={searched} onDone={() => setRound(round + 1)} />;
}

function SearchField({ searched, onDone }: { searched: string; onDone: () => void }) {
  const [, navigate] = useLocation();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(searched);
  const isWide = useMediaQuery("(min-width: 48em)");
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const wanted = text.trim().replaceAll(completeApiKey, "$1");
  const groups = useGroups(wanted);
  const { openDropdown, closeDropdown, selectFirstOption } = combobox;

  const focus = () => {
    input.current?.focus();
    input.current?.select();
    openDropdown();
  };
  useHotkeys([["mod+K", focus]], []);
  useHotkeys([["/", focus]]);
  // Enter does what is first in the list.
  useEffect(() => {
    if (wanted !== "") selectFirstOption();
  }, [wanted, selectFirstOption]);

  const choose = (value: string) => {
    const command = groups.flatMap(({ entries }) => entries).find(({ key }) => key === value);
    if (command?.run) command.run();
    else navigate(command?.to ?? value);
    onDone();
  };

  return (
    <search>
      <form onSubmit={(event: FormEvent) => event.preventDefault()}>
        <Combobox store={combobox} onOptionSubmit={choose} position="bottom-start" withinPortal={false}>
          <Combobox.Target withExpandedAttribute>
            <TextInput
              ref={input}
              type="search"
              aria-label={texts.search.label}
              placeholder={texts.search.placeholder}
              value={text}
              onChange={(event) => {
                setText(event.currentTarget.value);
                openDropdown();
              }}
              onClick={() => openDropdown()}
              onBlur={() => closeDropdown()}
              leftSection={<IconSearch size={16} aria-hidden />}
              rightSection={isWide ? <Kbd size="xs">{texts.search.shortcut}</Kbd> : null}
              rightSectionWidth={isWide ? 64 : undefined}
              rightSectionPointerEvents="none"
            />
          </Combobox.Target>
          <Combobox.Dropdown>
            <Combobox.Options className={styles.options}>
              {groups.map(({ label, entries }) => (
                <Combobox.Group key={label} label={label}>
                  {entries.map((entry) => (
                    <Combobox.Option key={entry.key} value={entry.key} className={styles.option}>
                      {entry.icon ? <entry.icon size={16} stroke={1.7} aria-hidden /> : null}
                      {entry.label}
                    </Combobox.Option>
                  ))}
                </Combobox.Group>
              ))}
              {wanted === "" ? null : <Slot name="searchResults" props={{ text: wanted }} />}
            </Combobox.Options>
          </Combobox.Dropdown>
        </Combobox>
      </form>
    </search>
  );
}

const maxMatches = 6;

/** Without text: recent pages, then everything that can be done. With text: what has a word that begins with it. */
function useGroups(text: string) {
  const { pages, actions } = useCommands();
  const recent = useRecentPages();
  if (text === "")
    return [
      { label: texts.search.recent, entries: recent },
      { label: texts.search.actions, entries: actions },
      { label: texts.search.pages, entries: pages },
    ].filter(({ entries }) => entries.length > 0);
  const matches = [...pages, ...actions].filter(({ label }) => hasWordsOf(label, text)).slice(0, maxMatches);
  return matches.length > 0 ? [{ label: texts.search.goTo, entries: matches }] : [];
}

function hasWordsOf(label: string, text: string): boolean {
  const words = label.toLowerCase().split(/\W+/);
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((typed) => words.some((word) => word.startsWith(typed)));
}
