import type { Static, TSchema } from 'typebox';

/** Purposes of calls. Usage is reported by purpose. */
export const llmPurposes = [
  'Test',
  'Ask',
  'Documentation',
  'Instruction',
  'Glossary',
  'Evaluation',
  'Actor',
  'Learning',
] as const;

export type LlmPurpose = (typeof llmPurposes)[number];

/** Closed list of failures with their texts. They contain no text of the provider, because it may repeat the key. */
export const llmFailureTexts = {
  NotConfigured: 'No language model is set up.',
  SwitchedOff: 'The operator has switched the language model off (Svc:LLM:Enabled).',
  PromptTooLarge: 'What would be sent to the language model is larger than the limit.',
  Unauthorised: 'The provider of the language model refused the key.',
  UnknownModel: 'The provider does not know the model, or nothing answers at that address.',
  DestinationRefused: 'The address of the language model is not allowed by the connection policy.',
  BadAnswer: 'The language model did not answer in the form that was asked for.',
  CutShort: 'The answer of the language model ended before it was complete.',
  RequestRefused: 'The provider of the language model could not use the request.',
  BudgetSpent: 'The budget of the language model is spent.',
  EvaluationSpent: 'The next call could take more tokens than the evaluation has left.',
  TooManyCalls: 'Too many calls to the language model are made at this moment.',
  RateLimited: 'The provider of the language model limits how often it is called.',
  Overloaded: 'The provider of the language model is overloaded or failed.',
  Unreachable: 'The provider of the language model could not be reached.',
  TimedOut: 'The language model did not answer in time.',
  Cancelled: 'The request to the language model was cancelled.',
} as const;

export type LlmFailure = keyof typeof llmFailureTexts;

/** Reasons why no model is available to any caller. */
export type LlmAbsence = Extract<LlmFailure, 'NotConfigured' | 'SwitchedOff'>;

/** Text of external origin: a schema, a term, an error, a question. It is framed, so that the model reads it as data. */
export type LlmData = {
  /** Kind of the text, such as `schema`. A constant of the service, never external input. */
  readonly name: string;
  readonly text: string;
};

/** Subject that a call is charged to. */
export type LlmCharge = {
  /** Null for calls of the service itself and of a host's principal. */
  readonly userId: number | null;
  readonly projectId: number | null;
  /** The AI actor of the call, and its token budget per UTC month. */
  readonly actor?: { readonly id: number; readonly monthlyTokens: number };
  /** The evaluation of the call, and its total token budget. Null: no limit. */
  readonly evaluation?: { readonly id: number; readonly maxTokens: number | null };
};

/** Request for one value from a model. */
export type LlmCall<S extends TSchema> = {
  readonly purpose: LlmPurpose;
  /** `Fast` is the cheaper model if one is configured, otherwise the main model. */
  readonly role: 'Main' | 'Fast';
  /** Instructions of the service only, without external text. */
  readonly instructions: string;
  /** All other texts, in the order in which they are sent. */
  readonly data: readonly LlmData[];
  /**
   * Schema of the value: an object. All members of every object are required, and no additional ones are allowed. The
   * gateway validates the answer against it.
   */
  readonly schema: S;
  /** For one answer. */
  readonly maxOutputTokens: number;
  readonly charge: LlmCharge;
  readonly signal?: AbortSignal;
};

/** Token counts of the provider. `isEstimated`: the provider reported none, and the counts are the upper bound. */
export type LlmTokens = {
  readonly input: number;
  readonly output: number;
  readonly isEstimated: boolean;
};

/** Usage of a call with all its attempts. */
type Taken = {
  /** Zero if no request was sent. */
  readonly tokens: LlmTokens;
  /** In the currency of the prices. Null if no price is configured. */
  readonly cost: number | null;
};

/** Result of a call. `Refused`: the model declined, and a retry would not change that. */
export type LlmAnswer<T> = Taken &
  (
    | { readonly kind: 'Value'; readonly value: T; readonly model: string }
    | { readonly kind: 'Refused'; readonly model: string }
    | {
        readonly kind: 'Failed';
        readonly failure: LlmFailure;
        /** Wait requested by the provider. */
        readonly retryAfterSeconds?: number;
      }
  );

/** The only access to a model. It has no tools: the model fills a schema, and code decides how the value is used. */
export type Llm = {
  /** Requests one value. Never throws for an error of the provider. */
  readonly call: <S extends TSchema>(call: LlmCall<S>) => Promise<LlmAnswer<Static<S>>>;
  /** Returns the reason why no model is available now. Null: a model is configured and enabled. */
  readonly absence: () => Promise<LlmAbsence | null>;
};
