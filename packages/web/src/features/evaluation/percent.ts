import { limitText, scoreText } from '../../lib/format.ts';

const whole = 100;

/** Formats a share in percent, below a limit exactly if the share is. Empty for null. */
export const percent = (share: number | null, ...limits: readonly number[]): string =>
  share === null ? '' : `${scoreText(share * whole, ...limits.map((limit) => limit * whole))} %`;

/** Formats the share that is the limit of other shares. */
export const percentLimit = (share: number): string => `${limitText(share * whole)} %`;
