/** Formats a share in whole percent. Empty for null. */
export const percent = (share: number | null): string =>
  share === null ? '' : `${Math.round(share * 100)} %`;
