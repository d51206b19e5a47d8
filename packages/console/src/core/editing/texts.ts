export const texts = {
  conflict: {
    title: "Someone else changed this while you were editing",
    text: "Your changes were not saved. Reload to see the other changes; the fields that you edited keep your values. Then save again.",
    reload: "Reload",
    savedValue: (value: string) => `Saved by someone else: ${value}`,
    emptyValue: "empty",
  },
};
