import type { DefinitionKind, Endpoint } from '@svc/contract';
import type { TSchema } from 'typebox';
import type { Caller } from '../../../platform/access/index.ts';
import type { Tx } from '../../../platform/db/index.ts';
import type { JsonObject } from '../../../platform/yaml/index.ts';
import type { CallerActor } from '../../audit/index.ts';

/** A reference from a definition to another record, with its JSON pointer. */
export type Reference = { readonly kind: DefinitionKind; readonly slug: string; readonly pointer: string };

/** A reference from a definition to a secret, with its JSON pointer. */
export type SecretReference = { readonly name: string; readonly pointer: string };

/** A project whose records are requested. */
export type ProjectScope = { readonly id: number; readonly slug: string };

/** Returns the slug of a live record. */
export type SlugOf = (kind: DefinitionKind, id: number) => string;

/** Returns the applied name of the secret at a pointer; undefined when the secret was never applied. */
export type SecretNameOf = (id: number, pointer: string) => string | undefined;

/** Current state of a record. */
export type LiveRecord<D> = {
  readonly id: number;
  readonly projectId: number | null;
  readonly version: number;
  /** Null when the caller may not read all of it. */
  readonly definition: D | null;
  /** Definition that waits for approval, when it differs from the current definition. */
  readonly waiting?: D;
  /** The complete record waits for approval. */
  readonly isWaiting?: boolean;
};

/** Change of a record: `before` is null for a new record, `after` is null for a deletion. */
export type Change<D> = {
  readonly before: D | null;
  readonly after: D | null;
  /** JSON pointers of differing members. */
  readonly members: readonly string[];
};

/** Definition to write, with functions that resolve its references. */
export type Input<D> = {
  readonly definition: D;
  /** Definition when the caller's permission was checked; null for a new record. */
  readonly before: D | null;
  /** JSON pointers of differing members. */
  readonly members: readonly string[];
  /** Project of the record; null for kinds outside projects. */
  readonly projectId: number | null;
  /**
   * Returns the id of a live record.
   *
   * @throws Refusal `unknown-reference`.
   */
  readonly idOf: (kind: DefinitionKind, slug: string) => number;
  /** Returns the value of a secret; undefined when it was not sent. */
  readonly secret: (name: string) => string | undefined;
  /** Performs further writes in the transaction that writes the record. */
  readonly within: (tx: Tx, id: number) => Promise<void>;
};

export type Target = { readonly id: number; readonly version: number };

/** Outcome of a write. */
export type Written = {
  /** The change waits for approval, or the record delivers nothing until approval. */
  readonly isWaiting: boolean;
};

/** Reads, compares and writes records of one kind. Every write uses the service of the kind's domain. */
export type Kind<D> = {
  readonly name: DefinitionKind;
  /** Schema of a file. All its objects are closed. */
  readonly schema: TSchema;
  /**
   * Endpoint whose access entry decides who sees the records. Undefined: every reader of the service or of the project.
   */
  readonly readBy?: Endpoint;
  /** Reason why no caller can write the kind, for example because its feature is disabled. */
  readonly unavailable?: string;
  /** API keys may apply the kind in their projects. */
  readonly isForKeys: boolean;
  /**
   * Removes defaults and orders the members.
   *
   * @throws HttpProblem for a definition that every service refuses.
   */
  readonly canonical: (definition: D) => D | Promise<D>;
  readonly references: (definition: D) => readonly Reference[];
  readonly secrets: (definition: D) => readonly SecretReference[];
  /** Replaces the names of secrets. */
  readonly withSecretNames: (definition: D, nameAt: (pointer: string) => string | undefined) => D;
  /** Returns records visible to the caller. Kinds inside projects are limited to the given projects. */
  readonly list: (
    caller: Caller,
    projects: readonly ProjectScope[],
    slugOf: SlugOf,
  ) => Promise<readonly LiveRecord<D>[]>;
  /**
   * Endpoints that make the same change. Their access entries decide about permission. Null: records of the kind cannot
   * be deleted.
   */
  readonly endpoints: (change: Change<D>) => readonly Endpoint[] | null;
  /**
   * Checks permission beyond the endpoints.
   *
   * @throws Refusal 403.
   */
  readonly mayWrite?: (caller: Caller, change: Change<D>) => void;
  /** Returns true when applying the change creates a request for approval. */
  readonly needsApproval: (caller: Caller, change: Change<D>) => boolean;
  /** Returns true when a change of these members creates a new record. */
  readonly isReplacing?: (members: readonly string[]) => boolean;
  /** Returns secrets whose values the change requires. */
  readonly neededSecrets: (change: Change<D>) => readonly SecretReference[];
  readonly create: (by: CallerActor, input: Input<D>) => Promise<Written>;
  readonly update: (by: CallerActor, target: Target, input: Input<D>) => Promise<Written>;
  readonly replace?: (by: CallerActor, target: Target, input: Input<D>) => Promise<Written>;
  readonly remove: (by: CallerActor, target: Target) => Promise<void>;
};

/** A kind without its specific definition type. Its definitions come from its own schema or its own list. */
export type AnyKind = Kind<JsonObject>;

/** Removes the type parameter. Each kind is checked against its own type here. */
export const defineKind = <D>(kind: Kind<D>): AnyKind => kind as unknown as AnyKind;

/** Members of kinds without secrets. */
export const noSecrets = {
  secrets: () => [],
  withSecretNames: <D>(definition: D): D => definition,
  neededSecrets: () => [],
} as const;
