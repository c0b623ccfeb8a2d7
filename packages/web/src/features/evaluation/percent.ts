/** A share in whole percent; empty where there is none. */
export const percent = (share: number | null): string =>
  share === null ? '' : `${Math.round(share * 100)} %`;
