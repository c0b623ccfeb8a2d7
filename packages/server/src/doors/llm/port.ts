import type { Static, TSchema } from 'typebox';

/** What a model is asked for: usage is shown by it. */
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

/** One of `llmPurposes`. */
export type LlmPurpose = (typeof llmPurposes)[number];

/** Why no value came: a closed list. A provider's own text is none of it, since it may repeat the key. */
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

/** A code of `llmFailureTexts`. */
export type LlmFailure = keyof typeof llmFailureTexts;

/** Why there is no model, for anybody. */
export type LlmAbsence = Extract<LlmFailure, 'NotConfigured' | 'SwitchedOff'>;

/** A text that is not ours: a schema, a term, an error, a question. It is framed, so that it reads as data. */
export type LlmData = {
  /** What the text is, in a word of ours such as `schema`: it never comes from outside. */
  readonly name: string;
  readonly text: string;
};

/** Who is behind a call; usage is counted for them. */
export type LlmCharge = {
  /** Null for what the service does by itself, and for a host's principal. */
  readonly userId: number | null;
  readonly projectId: number | null;
  /** The AI actor that thinks, and the tokens that it may use in a month of UTC. */
  readonly actor?: { readonly id: number; readonly monthlyTokens: number };
  /** The evaluation that asks, and the tokens that it may use in all; null: no limit. */
  readonly evaluation?: { readonly id: number; readonly maxTokens: number | null };
};

/** One value that a model is asked for. */
export type LlmCall<S extends TSchema> = {
  readonly purpose: LlmPurpose;
  /** `Fast` is the cheaper model where one is set, else the same. */
  readonly role: 'Main' | 'Fast';
  /** What to do, in our words alone. */
  readonly instructions: string;
  /** Everything else, in the order in which it is sent. */
  readonly data: readonly LlmData[];
  /** Shape of the value: an object, all members of every object required, none beyond them. Checked here again. */
  readonly schema: S;
  /** Of one answer. */
  readonly maxOutputTokens: number;
  readonly charge: LlmCharge;
  readonly signal?: AbortSignal;
};

/** Tokens as the provider counted them; `isEstimated`: it counted none, and the upper bound stands instead. */
export type LlmTokens = {
  readonly input: number;
  readonly output: number;
  readonly isEstimated: boolean;
};

/** What a call took, with all its attempts. */
type Taken = {
  /** Zero when nothing was sent. */
  readonly tokens: LlmTokens;
  /** In the money of the prices; null where there are none. */
  readonly cost: number | null;
};

/** What came of a call. `Refused` is the model's own: it declined, which no further attempt changes. */
export type LlmAnswer<T> = Taken &
  (
    | { readonly kind: 'Value'; readonly value: T; readonly model: string }
    | { readonly kind: 'Refused'; readonly model: string }
    | {
        readonly kind: 'Failed';
        readonly failure: LlmFailure;
        /** How long the provider asks to be left alone. */
        readonly retryAfterSeconds?: number;
      }
  );

/** The one way to a model. It has no tools: it fills a schema, and code decides what becomes of the value. */
export type Llm = {
  /** Asks for one value. Never throws for what a provider does. */
  readonly call: <S extends TSchema>(call: LlmCall<S>) => Promise<LlmAnswer<Static<S>>>;
  /** Why nobody can ask a model at this moment; null: one is set up, and not switched off. */
  readonly absence: () => Promise<LlmAbsence | null>;
};
