import { type DefinitionKind, getDefinitionObject } from '@svc/contract';
import { read } from '../lib/server-state.ts';

/** Definition state of a record: the folder from which it was applied, and whether that folder manages it. */
export const definitionObject = (kind: DefinitionKind, id: number) =>
  read(getDefinitionObject, { params: { kind, id } });
