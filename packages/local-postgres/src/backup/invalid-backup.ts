/** A file that cannot be restored. The message is for the operator. */
export class InvalidBackup extends Error {
  override name = "InvalidBackup";
}
