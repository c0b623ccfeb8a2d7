import * as contract from '@svc/contract';
import type { DataSourcesService } from '../../../data-sources/index.ts';
import { defineKind } from '../kind.ts';
import { fileSchema } from '../shapes.ts';
import {
  canonical,
  createFormOf,
  type DataSourceDefinition,
  neededSecrets,
  properties,
  secrets,
  withSecretNames,
} from './definition.ts';
import { list } from './read.ts';
import { create, update } from './write.ts';

/** Creates the kind of connections to databases and files. Files contain names of secrets, never their values. */
export function dataSourceKind({ dataSources }: { readonly dataSources: DataSourcesService }) {
  const formOf = createFormOf(dataSources.engines());
  const deps = { dataSources, formOf };
  return defineKind<DataSourceDefinition>({
    name: 'DataSource',
    schema: fileSchema('DataSource', properties),
    isForKeys: false,
    canonical: (definition) => canonical(formOf, definition),
    references: () => [],
    secrets: (definition) => secrets(formOf, definition),
    withSecretNames: (definition, nameAt) => withSecretNames(formOf, definition, nameAt),
    list: (caller, _projects, slugOf) => list(dataSources, formOf, caller, slugOf),
    endpoints: ({ before, after }) => [
      after === null
        ? contract.archiveDataSource
        : before === null
          ? contract.createDataSource
          : contract.updateDataSource,
    ],
    needsApproval: () => false,
    neededSecrets: (change) => neededSecrets(formOf, change),
    create: (by, input) => create(deps, by, input),
    update: (by, target, input) => update(deps, by, target, input),
    remove: (by, { id, version }) => dataSources.archive(by, id, version),
  });
}
