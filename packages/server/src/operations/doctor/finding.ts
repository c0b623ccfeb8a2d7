/** Result of one check. */
export type Finding = {
  /** Subject of the check, in one or two words. */
  readonly subject: string;
  /** `Fault`: the service does not start, or does not work. `Warning`: it works now, but may fail later. */
  readonly state: 'Well' | 'Warning' | 'Fault';
  /** One sentence. */
  readonly text: string;
  /** Recommended action; null if none is needed. */
  readonly remedy: string | null;
};

/** Returns a result without a problem. */
export const well = (subject: string, text: string): Finding => ({
  subject,
  state: 'Well',
  text,
  remedy: null,
});
/** Returns a result that needs attention later. */
export const warning = (subject: string, text: string, remedy: string): Finding => ({
  subject,
  state: 'Warning',
  text,
  remedy,
});
/** Returns a result that prevents the service from working. */
export const fault = (subject: string, text: string, remedy: string): Finding => ({
  subject,
  state: 'Fault',
  text,
  remedy,
});
