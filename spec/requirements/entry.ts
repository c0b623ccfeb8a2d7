/** One thing that the source documents ask for. */
export type RequirementEntry = {
  /** Document prefix (`ID`, `RT`, `DL`), source section, number within the section: `ID-5.6-03`. Never reused. */
  readonly id: `${DocumentPrefix}-${string}-${string}`;
  /** The section of the source document that asks for it. */
  readonly section: string;
  /** One sentence that can be read alone. */
  readonly text: string;
};

/** Prefix of a source document's requirement ids. */
export type DocumentPrefix = 'ID' | 'RT' | 'DL';

/** How much one section of a source document holds, as counted by `tools/count-spec-sentences.ts`. */
export type SourceSection = {
  readonly section: string;
  readonly title: string;
  readonly rows: number;
  readonly sentences: number;
  /** Why the section has fewer requirements than rows and sentences. */
  readonly reason?: string;
};

/** One source document with the counts of its sections. */
export type SourceDocument = {
  readonly prefix: DocumentPrefix;
  readonly title: string;
  readonly sections: readonly SourceSection[];
};
