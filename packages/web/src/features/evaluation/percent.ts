import { limitText, scoreText } from '../../lib/format.ts';

const fullPercent = 100;

/** Formats a share in percent, below a limit exactly if the share is. Empty for null. */
export const percent = (share: number | null, ...limits: readonly number[]): string =>
  share === null ? '' : `${scoreText(share * fullPercent, ...limits.map((limit) => limit * fullPercent))} %`;

/** Returns a share that is a limit of other shares in percent, without the error of binary fractions. */
export const percentOf = (limit: number): number => Number(limitText(limit * fullPercent));

/** Formats a share that is the limit of other shares. */
export const percentLimit = (limit: number): string => `${limitText(limit * fullPercent)} %`;
