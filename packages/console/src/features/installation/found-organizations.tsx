import { Combobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useApi } from "../../core/api/queries.js";
import { useSession } from "../../core/session/session.js";
import { texts } from "./texts.js";

const typingMs = 150;
const maxShown = 5;

/** In the search box of operators: organizations by name, and a search through all of them. */
export function FoundOrganizations({ text }: { text: string }) {
  return useSession().user.isOperator ? <FoundByOperator text={text} /> : null;
}

function FoundByOperator({ text }: { text: string }) {
  const [query] = useDebouncedValue(text, typingMs);
  const found = useApi("listOrganizations", { query: { query, pageSize: maxShown } });
  return (
    <Combobox.Group label={texts.search.organizations}>
      {found.data?.data.map(({ uuid, name }) => (
        <Combobox.Option key={uuid} value={`~/organizations/${uuid}`}>
          {name}
        </Combobox.Option>
      ))}
      <Combobox.Option value={`~/search?q=${encodeURIComponent(text)}`}>
        {texts.search.searchFor(text)}
      </Combobox.Option>
    </Combobox.Group>
  );
}
