import { createProvisioning, type Provisioning } from '../domains/provisioning/index.ts';
import type { DefinitionsPart } from './definitions.ts';
import type { Ground } from './ground.ts';
import type { Identity } from './identity.ts';

/** Records as files, applied by the process itself. */
export const composeProvisioning = (
  { database, log, audit }: Ground,
  deps: {
    readonly definitions: Pick<DefinitionsPart, 'definitions'>;
    readonly isSetupOpen: Identity['isSetupOpen'];
  },
): Provisioning =>
  createProvisioning({
    ...{ database, log, audit },
    definitions: deps.definitions.definitions,
    isSetupOpen: deps.isSetupOpen,
  });
