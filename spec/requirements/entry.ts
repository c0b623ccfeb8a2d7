/** One requirement of the source documents. */
export type RequirementEntry = {
  /** Document prefix (`ID`, `RT`, `DL`), source section, number within the section: `ID-5.6-03`. Never reused. */
  readonly id: `${DocumentPrefix}-${string}-${string}`;
  /** The section of the source document. */
  readonly section: string;
  /** One sentence that can be read alone. */
  readonly text: string;
};

/** Prefix of a source document's requirement ids. */
export type DocumentPrefix = 'ID' | 'RT' | 'DL';

/** Size of one section of a source document, as counted by `tools/count-spec-sentences.ts`. */
export type SourceSection = {
  readonly section: string;
  readonly title: string;
  readonly rows: number;
  readonly sentences: number;
  /** Reason for fewer requirements than rows and sentences. */
  readonly reason?: string;
};

/** One source document with the counts of its sections. */
export type SourceDocument = {
  readonly prefix: DocumentPrefix;
  readonly title: string;
  readonly sections: readonly SourceSection[];
};
