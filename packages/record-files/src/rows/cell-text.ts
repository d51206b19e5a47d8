const apostrophe = 0x27;
const equals = 0x3d;

/**
 * The value of a cell that is marked as text for spreadsheets: ="0012345", or '0012345 with an apostrophe before a
 * number or a code.
 */
export function unwrapped(cell: string): string {
  const first = cell.charCodeAt(0);
  if (first === equals && /^="[^"]*"$/.test(cell)) return cell.slice(2, -1);
  if (first === apostrophe && /^'[+-]?\d(?:[\d\s./:,()-]*|\w*)$/.test(cell)) return cell.slice(1);
  return cell;
}
