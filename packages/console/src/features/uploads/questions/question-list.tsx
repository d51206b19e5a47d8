import { Badge, Button, Group, Radio, Select, Stack, Text } from "@mantine/core";
import type { MappingQuestion, Suggestion } from "@gatehouse-parking/record-files";
import { useState } from "react";
import type { Gap } from "../mapping/gaps.js";
import { truncate } from "../preview/preview.js";
import { texts as mappingTexts } from "../mapping/texts.js";
import { texts } from "./texts.js";
import { confirmAll, openQuestions, ownAnswer, type Answers } from "./answers.js";
import styles from "./questions.module.css";

interface Props {
  suggestion: Suggestion;
  answers: Answers;
  /** Missing parts of the mapping that no question asks for. */
  gaps: readonly Gap[];
  /** Gets only the answers that changed. */
  onAnswers: (changes: Answers) => void;
}

/** Everything that must be decided before the file can be checked, in one list. */
export function QuestionList({ suggestion, answers, gaps, onAnswers }: Props) {
  const { questions, assumptions } = suggestion;
  const open = openQuestions(suggestion, answers);
  const openAssumptions = open.filter(({ kind }) => kind === "assumption");
  const openCount = open.length - openAssumptions.length + gaps.length;
  const onAnswer = (id: string) => (answer: string) => onAnswers({ [id]: answer });
  if (questions.length + assumptions.length + gaps.length === 0) return null;
  return (
    <section className={styles.list} aria-label={texts.title}>
      {questions.length + gaps.length > 0 ? (
        <>
          <Group gap="xs">
            <h3 className={styles.title}>{texts.title}</h3>
            <Badge color={openCount > 0 ? "yellow" : "teal"}>{texts.open(openCount)}</Badge>
          </Group>
          <ol className={styles.items}>
            {questions.map((question) => (
              <li key={question.id}>
                <Choices
                  question={question}
                  answer={answers[question.id] ?? null}
                  onAnswer={onAnswer(question.id)}
                />
              </li>
            ))}
            {gaps.map(({ column, text }) => (
              <li key={`${column} ${text}`} className={styles.gap}>
                {column === undefined ? text : texts.ofColumn(column, text)}
              </li>
            ))}
          </ol>
        </>
      ) : null}
      {assumptions.length > 0 ? (
        <>
          <Group gap="xs">
            <h3 className={styles.title}>{texts.assumptions}</h3>
            {openAssumptions.length > 0 ? (
              <Button size="compact-sm" onClick={() => onAnswers(confirmAll(openAssumptions))}>
                {texts.confirmAll(openAssumptions.length)}
              </Button>
            ) : (
              <Badge color="teal">{texts.confirmed}</Badge>
            )}
          </Group>
          <ul className={styles.items}>
            {assumptions.map((question) => (
              <li key={question.id}>
                <Assumption
                  question={question}
                  answer={answers[question.id]}
                  onAnswer={onAnswer(question.id)}
                />
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}

interface ChoicesProps {
  question: MappingQuestion;
  answer: string | null;
  onAnswer: (answer: string) => void;
}

/** More choices than this, such as locations, are in a list to search. */
const maxRadios = 8;

function Choices({ question, answer, onAnswer }: ChoicesProps) {
  const { id, text, rows, samples, choices } = question;
  const own = { id: ownAnswer, gives: [] as readonly string[] };
  const offered = [...choices, own];
  const description = texts.samples(rows, samples.map(truncate));
  if (choices.length > maxRadios) {
    const chosen = choices.find((choice) => choice.id === answer);
    return (
      <Select
        label={text}
        description={description}
        data={offered.map((choice) => ({ value: choice.id, label: labelOf(choice.id) }))}
        value={answer}
        onChange={(value) => value !== null && onAnswer(value)}
        placeholder={mappingTexts.values.choose}
        searchable
        allowDeselect={false}
        maw={420}
        error={chosen && chosen.gives.length > 0 ? undefined : null}
      />
    );
  }
  return (
    <Radio.Group name={id} label={text} description={description} value={answer} onChange={onAnswer}>
      <Stack gap={6} mt={6}>
        {offered.map((choice) => (
          <Radio
            key={choice.id}
            value={choice.id}
            size="xs"
            label={labelOf(choice.id)}
            description={choice.gives.length > 0 ? texts.gives(choice.gives.map(truncate)) : undefined}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function labelOf(choice: string): string {
  return texts.choices[choice] ?? choice;
}

/** An assumption, which can be opened and changed. */
function Assumption({
  question,
  answer,
  onAnswer,
}: Omit<ChoicesProps, "answer"> & { answer: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const chosen = answer ?? question.assumed ?? "";
  if (isOpen) return <Choices question={question} answer={chosen} onAnswer={onAnswer} />;
  return (
    <Text size="sm" component="div">
      {question.text}{" "}
      <Text span size="xs" c="dimmed">
        {texts.assumed(labelOf(chosen), question.rows)}
      </Text>{" "}
      <Button
        size="compact-xs"
        variant="subtle"
        aria-label={texts.changeOf(question.text)}
        onClick={() => setOpen(true)}
      >
        {texts.change}
      </Button>
    </Text>
  );
}
