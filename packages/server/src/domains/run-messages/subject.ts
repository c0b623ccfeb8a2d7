/** Fields of a run and its subscription that its message depends on. */
export type MessageSubject = {
  /** Id of the run; 0 for a run that is not stored. */
  readonly id: number;
  readonly dueAt: Date;
  readonly subscriptionId: number;
  readonly queryName: string;
  readonly showQuery: boolean;
  readonly maxRows: number | null;
  /** Format of the attachment; null without an attachment. */
  readonly attachmentFormat: 'Csv' | 'Xlsx' | null;
};
