import { Combobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { minSuggestedLength } from "@gatehouse-parking/contract/console";
import { useApi } from "../../core/api/queries.js";
import { useOptionalOrganization } from "../../core/session/session.js";
import { describeKind, pageOf } from "./found.js";
import styles from "./search-page.module.css";
import { texts } from "./texts.js";

const typingMs = 150;

/** In the search box: a search for the text, and what begins with it. */
export function Suggestions({ text }: { text: string }) {
  return useOptionalOrganization() ? <SuggestionsOfOrganization text={text} /> : null;
}

function SuggestionsOfOrganization({ text }: { text: string }) {
  const [typed] = useDebouncedValue(text, typingMs);
  const isLongEnough = [...typed].length >= minSuggestedLength;
  const found = useApi("suggest", { query: { q: typed }, enabled: isLongEnough });
  const suggestions = (isLongEnough && found.data?.data) || [];
  return (
    <>
      <Combobox.Group label={texts.heading}>
        <Combobox.Option value={`/search?q=${encodeURIComponent(text)}`}>
          {texts.searchFor(text)}
        </Combobox.Option>
      </Combobox.Group>
      {suggestions.length > 0 ? (
        <Combobox.Group label={texts.suggestions}>
          {suggestions.map((suggestion) => (
            <Combobox.Option key={suggestion.uuid} value={pageOf(suggestion)} className={styles.suggestion}>
              <span className={styles.kind}>{describeKind(suggestion.kind)}</span>
              <span>{suggestion.title}</span>
              <span className={styles.fact}>{suggestion.subtitle}</span>
            </Combobox.Option>
          ))}
        </Combobox.Group>
      ) : null}
    </>
  );
}
