/** What one look at the service found. */
export type Finding = {
  /** What was looked at, in a word or two. */
  readonly subject: string;
  /** `Fault`: the service does not start, or does not do its work. `Warning`: it does, and will not for ever. */
  readonly state: 'Well' | 'Warning' | 'Fault';
  /** One sentence. */
  readonly text: string;
  /** What to do; null when nothing is. */
  readonly remedy: string | null;
};

/** Something that is as it should be. */
export const well = (subject: string, text: string): Finding => ({
  subject,
  state: 'Well',
  text,
  remedy: null,
});
/** Something that works and wants to be looked at. */
export const warning = (subject: string, text: string, remedy: string): Finding => ({
  ...{ subject, state: 'Warning', text, remedy },
});
/** Something that keeps the service from its work. */
export const fault = (subject: string, text: string, remedy: string): Finding => ({
  ...{ subject, state: 'Fault', text, remedy },
});
