import type { DefinitionKind, Endpoint } from '@svc/contract';
import type { TSchema } from 'typebox';
import type { Caller } from '../../../platform/access/index.ts';
import type { Tx } from '../../../platform/db/index.ts';
import type { JsonObject } from '../../../platform/yaml/index.ts';
import type { CallerActor } from '../../audit/index.ts';

/** A record that a definition refers to, and where. */
export type Reference = { readonly kind: DefinitionKind; readonly slug: string; readonly pointer: string };

/** A secret that a definition refers to, and where. */
export type SecretReference = { readonly name: string; readonly pointer: string };

/** A project whose records are meant. */
export type ProjectScope = { readonly id: number; readonly slug: string };

/** The slug of a live record. */
export type SlugOf = (kind: DefinitionKind, id: number) => string;

/** The name under which the secret at a pointer of a record was applied; undefined: it was not. */
export type SecretNameOf = (id: number, pointer: string) => string | undefined;

/** A record as it is. */
export type LiveRecord<D> = {
  readonly id: number;
  readonly projectId: number | null;
  readonly version: number;
  /** Null where the caller may not read all of it. */
  readonly definition: D | null;
  /** What waits for approval, where that is something else. */
  readonly waiting?: D;
  /** The whole record waits for approval. */
  readonly isWaiting?: boolean;
};

/** What becomes of a record: `before` is null where it is new, `after` where it goes. */
export type Change<D> = {
  readonly before: D | null;
  readonly after: D | null;
  /** JSON pointers of what differs. */
  readonly members: readonly string[];
};

/** What is written, with the means to resolve it. */
export type Input<D> = {
  readonly definition: D;
  /** What it was when the caller was admitted; null for a new one. */
  readonly before: D | null;
  /** JSON pointers of what differs. */
  readonly members: readonly string[];
  /** Of the record's project; null for kinds outside projects. */
  readonly projectId: number | null;
  /** The id of a live record. @throws Refusal `unknown-reference`. */
  readonly idOf: (kind: DefinitionKind, slug: string) => number;
  /** The value of a secret, where it was sent. */
  readonly secret: (name: string) => string | undefined;
  /** What else belongs to the transaction that writes the record. */
  readonly within: (tx: Tx, id: number) => Promise<void>;
};

export type Target = { readonly id: number; readonly version: number };

/** What a write came to. */
export type Written = {
  /** It waits for approval, or delivers nothing until it is approved. */
  readonly isWaiting: boolean;
};

/** How records of a kind are read, compared and written. Every write goes through the service of the kind's own domain. */
export type Kind<D> = {
  readonly name: DefinitionKind;
  /** Of a file, every object closed. */
  readonly schema: TSchema;
  /** Whom this endpoint admits sees them. Undefined: whoever reads the service, or their project. */
  readonly readBy?: Endpoint;
  /** Why nothing of the kind is written now, whoever asks. */
  readonly unavailable?: string;
  /** Keys may do it, in their projects. */
  readonly isForKeys: boolean;
  /** The same with defaults left out and members in one order. @throws HttpProblem for what no service would take. */
  readonly canonical: (definition: D) => D | Promise<D>;
  readonly references: (definition: D) => readonly Reference[];
  readonly secrets: (definition: D) => readonly SecretReference[];
  /** The same with other names of secrets. */
  readonly withSecretNames: (definition: D, nameAt: (pointer: string) => string | undefined) => D;
  /** Records that the caller sees, in the projects that are given where the kind stands in projects. */
  readonly list: (
    caller: Caller,
    projects: readonly ProjectScope[],
    slugOf: SlugOf,
  ) => Promise<readonly LiveRecord<D>[]>;
  /** The endpoints that do the same: whoever they admit may do it. Null: nothing deletes a record of the kind. */
  readonly endpoints: (change: Change<D>) => readonly Endpoint[] | null;
  /** What a check beyond the endpoints says to the caller. @throws Refusal 403. */
  readonly mayWrite?: (caller: Caller, change: Change<D>) => void;
  /** Applying it files a request for approval. */
  readonly needsApproval: (caller: Caller, change: Change<D>) => boolean;
  /** A change of these members makes a new record. */
  readonly isReplacing?: (members: readonly string[]) => boolean;
  /** Secrets without which the change cannot be written. */
  readonly neededSecrets: (change: Change<D>) => readonly SecretReference[];
  readonly create: (by: CallerActor, input: Input<D>) => Promise<Written>;
  readonly update: (by: CallerActor, target: Target, input: Input<D>) => Promise<Written>;
  readonly replace?: (by: CallerActor, target: Target, input: Input<D>) => Promise<Written>;
  readonly remove: (by: CallerActor, target: Target) => Promise<void>;
};

/** A kind among others: its definitions come from its own schema or its own list. */
export type AnyKind = Kind<JsonObject>;

/** The only way in, which keeps the types of each kind consistent. */
export const defineKind = <D>(kind: Kind<D>): AnyKind => kind as unknown as AnyKind;

/** For kinds without secrets. */
export const noSecrets = {
  secrets: () => [],
  withSecretNames: <D>(definition: D): D => definition,
  neededSecrets: () => [],
} as const;
