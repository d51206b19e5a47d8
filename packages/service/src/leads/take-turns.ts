/** Work under the same name is done one after the other, within this instance. */
export type TakeTurns = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export function takeTurns(): TakeTurns {
  const last = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    // Whether the one before succeeded is its own caller's concern.
    const turn = Promise.allSettled([last.get(name)]).then(work);
    last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (last.get(name) === turn) last.delete(name);
    }
  };
}
