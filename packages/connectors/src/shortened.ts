const shownMax = 60;

/** Returns a text for a message: a longer text ends with an ellipsis. */
export function shortened(text: string, charactersMax = shownMax): string {
  if (text.length <= charactersMax) return text;
  // A cut must not divide a pair of surrogates.
  return `${text.slice(0, charactersMax).replace(/[\ud800-\udbff]$/, '')}…`;
}
