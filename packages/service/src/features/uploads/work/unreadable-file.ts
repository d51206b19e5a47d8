/** The file, or the way in which it is to be read, is not right. The message is meant for people. */
export class UnreadableFile extends Error {
  override name = "UnreadableFile";
}
