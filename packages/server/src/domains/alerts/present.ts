import type { Alert } from '@svc/contract';

const timeOf = (text: string): string => new Date(text).toISOString();

/** Converts the JSON object of `alertJson` for the API. */
export const presentAlert = ({ state, since, toldAt, acknowledgement }: Alert): Alert => ({
  state,
  since: timeOf(since),
  toldAt: toldAt && timeOf(toldAt),
  acknowledgement: acknowledgement && { ...acknowledgement, at: timeOf(acknowledgement.at) },
});
