/** What a message is about: a run of a subscription, as far as its message depends on it. */
export type MessageSubject = {
  /** Id of the run; 0 for one that is not made. */
  readonly id: number;
  readonly dueAt: Date;
  readonly subscriptionId: number;
  readonly queryName: string;
  readonly showQuery: boolean;
  readonly maxRows: number | null;
  /** The format of the attachment; null when there is none. */
  readonly attachmentFormat: 'Csv' | 'Xlsx' | null;
};
