/** Returns a file name for a title: letters and digits of every script, everything else as hyphens. */
export const fileNameOf = (title: string, extension: string): string => {
  const stem = title
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 80)
    .toWellFormed()
    .replaceAll(/^-+|-+$/g, '');
  return `${stem || 'result'}.${extension}`;
};
