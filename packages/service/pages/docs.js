// What the pages of the documentation can do beyond being read: other colours, another language, a key, a request.
// Everything it needs is in the page; without it the page shows all examples, and nothing can be sent.

const sampleAddress = "https://localhost:8443";
const sampleKey = "YOUR-API-KEY";
const schemeName = "mantine-color-scheme-value";
const languageName = "gatehouse-docs-language";

const find = (selector) => document.querySelector(selector);
const findAll = (selector, from = document) => [...from.querySelectorAll(selector)];

offerScheme();
if (find("#key")) {
  offerLanguages();
  offerCopies();
}
// The page of the plain port has no form: it takes no key.
if (find("form#key")) {
  offerKey();
  for (const form of findAll("form.try")) offerSending(form);
}

function offerScheme() {
  const button = find("#scheme");
  const show = () => {
    const isDark = document.documentElement.dataset.scheme === "dark";
    button.textContent = isDark ? "Light mode" : "Dark mode";
  };
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    const scheme = document.documentElement.dataset.scheme === "dark" ? "light" : "dark";
    document.documentElement.dataset.scheme = scheme;
    localStorage.setItem(schemeName, scheme);
    show();
  });
}

function offerLanguages() {
  const select = find("#language");
  const kept = localStorage.getItem(languageName);
  if ([...select.options].some(({ text }) => text === kept)) select.value = kept;
  const show = () => {
    for (const figure of findAll("figure[data-language]"))
      figure.hidden = figure.dataset.language !== select.value;
  };
  show();
  select.addEventListener("change", () => {
    localStorage.setItem(languageName, select.value);
    show();
  });
}

function offerCopies() {
  for (const figure of findAll("figure[data-language]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    const title = figure.closest("section").querySelector("h3").textContent;
    button.setAttribute("aria-label", `Copy: ${title}, ${figure.dataset.language}`);
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(figure.querySelector("code").textContent);
      button.textContent = "Copied";
    });
    figure.append(button);
  }
}

/** Puts the address of this page, the key and a location of its organization in place of those of the samples. */
function offerKey() {
  let shown = { address: sampleAddress, key: sampleKey, location: sampleLocation() };
  fill({ address: location.origin });

  function fill(wanted) {
    const next = { ...shown, ...wanted };
    for (const element of findAll("[data-sample]")) {
      const isField = element instanceof HTMLTextAreaElement;
      let text = isField ? element.value : element.textContent;
      for (const name of Object.keys(next)) text = text.replaceAll(shown[name], next[name]);
      if (isField) element.value = text;
      else element.querySelector("code").textContent = text;
    }
    shown = next;
  }

  find("#key").addEventListener("submit", async (event) => {
    event.preventDefault();
    const key = find("#key-input").value.trim();
    if (key === "") return say("Enter a key first.", "bad");
    const { status, body } = await request("GET", "/integrations/locations?pageSize=1", key);
    const [place] = body?.data ?? [];
    fill(place ? { key, location: place.uuid } : { key });
    if (place) return say(`The examples use this key and the location ${place.name}.`, "good");
    if (status === 200)
      return say("The examples use this key. Its organization has no locations yet.", "good");
    if (status === 403) return say("The examples use this key. It may not list locations.", "good");
    return say(`The key is not accepted: ${body?.message ?? `status ${status}`}.`, "bad");
  });

  function say(text, look) {
    const state = find("#key-state");
    state.className = look;
    state.textContent = text;
  }
}

/** The only uuid that the examples have in common. */
function sampleLocation() {
  for (const { value } of findAll("textarea[data-sample]")) {
    const [, uuid] = /"locationUuid": "([0-9a-f-]{36})"/.exec(value) ?? [];
    if (uuid) return uuid;
  }
  return "LOCATION-UUID";
}

function offerSending(form) {
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const output = form.querySelector(".answer");
    output.textContent = "Waiting for the answer.";
    const key = find("#key-input").value.trim();
    const { status, headers, text } = await request(
      form.dataset.method,
      addressOf(form),
      key,
      form.querySelector("textarea")?.value,
    );
    output.replaceChildren(...answerParts(status, headers, text));
  });
}

function addressOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const input of findAll("input[data-in]", form)) {
    if (input.dataset.in === "path")
      path = path.replace(`{${input.name}}`, encodeURIComponent(input.value.trim()));
    else if (input.value.trim() !== "") query.set(input.name, input.value.trim());
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

function answerParts(status, headers, text) {
  const head = document.createElement("p");
  head.className = status === 200 ? "good" : "bad";
  const name = headers?.get("x-error");
  const left = headers?.get("x-ratelimit-remaining");
  head.textContent = [
    status === 0 ? "No answer: the service could not be reached." : `Status ${status}`,
    name ? `X-Error: ${name}` : "",
    left ? `${left} requests left` : "",
  ]
    .filter(Boolean)
    .join(", ");
  if (text === "") return [head];
  const answer = document.createElement("pre");
  answer.tabIndex = 0;
  answer.textContent = indented(text);
  return [head, answer];
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

async function request(method, path, key, body) {
  try {
    const answer = await fetch(path, {
      method,
      headers: { "x-api-key": key, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: parsed(text) };
  } catch {
    return { status: 0, headers: undefined, text: "", body: undefined };
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
