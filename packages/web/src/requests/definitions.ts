import { type DefinitionKind, getDefinitionObject } from '@svc/contract';
import { read } from '../lib/server-state.ts';

/** What is known of a record as a definition: which folder it was applied from, and whether that manages it. */
export const definitionObject = (kind: DefinitionKind, id: number) =>
  read(getDefinitionObject, { params: { kind, id } });
