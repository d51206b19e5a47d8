const dateAtEnd = /\d{4}-\d{2}-\d{2}$/;

/** What a record is about. Behind a name that is written from right to left, a date would be turned around with it. */
export function RecordTitle({ title }: { title: string }) {
  const date = dateAtEnd.exec(title);
  if (!date) return title;
  return (
    <>
      {title.slice(0, date.index)}
      <bdi>{date[0]}</bdi>
    </>
  );
}
