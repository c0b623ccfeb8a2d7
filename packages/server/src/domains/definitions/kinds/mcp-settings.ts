import type { McpField } from '@svc/contract';
import * as contract from '@svc/contract';
import { type Static, Type } from 'typebox';
import { badRequest } from '../../../platform/http/index.ts';
import { type McpSettingsService, mcpDefaults } from '../../mcp/index.ts';
import { shortened } from './canonical.ts';
import { defineKind, type Input, type Kind, noSecrets } from './kind.ts';
import { fileSchema } from './shapes.ts';

const ofProject = Object.fromEntries(
  Object.entries(contract.McpProjectValues.properties).map(([field, schema]) => [
    field,
    Type.Optional(schema),
  ]),
);
const ofService = Object.fromEntries(
  Object.entries(contract.McpValues.properties).map(([field, schema]) => [field, Type.Optional(schema)]),
);
type McpDefinition = Partial<Static<typeof contract.McpValues>>;

/** Orders the members, independently of the author, and removes defaults. */
function canonical(definition: McpDefinition, defaults: McpDefinition): McpDefinition {
  const { disabledTools, toolDescriptions } = definition;
  const ordered: McpDefinition = {
    ...definition,
    ...(disabledTools && { disabledTools: [...new Set(disabledTools)].sort() }),
    ...(toolDescriptions && {
      toolDescriptions: Object.fromEntries(
        Object.entries(toolDescriptions).sort(([left], [right]) => (left < right ? -1 : 1)),
      ),
    }),
  };
  const inOrder = Object.fromEntries(contract.mcpFields.map((field) => [field, ordered[field]]));
  return shortened(inOrder as McpDefinition, defaults);
}

/** Refuses a file that sets no member. */
export function assertSetsSomething<D extends object>(definition: D): D {
  if (Object.keys(definition).length > 0) return definition;
  throw badRequest('invalid-definition', 'The file sets nothing: leave it out.', [
    { path: '', message: 'sets nothing: leave it out' },
  ]);
}

const fieldOf = (pointer: string): string => pointer.split('/')[1] ?? '';

/** Returns the members to set and the members to reset, in the format of the service. */
function changeOf({ definition, before, members }: Input<McpDefinition>) {
  const fields = contract.mcpFields.filter((field) =>
    before === null ? field in definition : members.some((pointer) => fieldOf(pointer) === field),
  );
  const set = fields.filter((field) => definition[field] !== undefined);
  return {
    change: Object.fromEntries(set.map((field) => [field, definition[field]])) as McpDefinition,
    unset: fields.filter((field) => definition[field] === undefined),
  };
}

const nothingWaits = { isWaiting: false };

/** Members that both kinds of MCP settings share. */
const shared = (settings: McpSettingsService | undefined) =>
  ({
    ...(!settings && { unavailable: 'MCP is off: see Svc:Mcp:Enabled.' }),
    isForKeys: false,
    ...noSecrets,
    references: () => [],
    needsApproval: () => false,
    mayWrite: (_caller, { after }) => settings?.assertNotLocked(after ?? {}),
  }) satisfies Partial<Kind<McpDefinition>>;

const serviceOf = (settings: McpSettingsService | undefined): McpSettingsService => {
  if (settings) return settings;
  throw new Error('Nothing is planned for settings of MCP while it is off.');
};

/** Creates the kind of MCP settings for all projects. Omitted members have their defaults. */
export function mcpSettingsKind({
  mcpSettings: settings,
}: {
  /** Undefined while MCP is disabled. */
  readonly mcpSettings: McpSettingsService | undefined;
}) {
  return defineKind<McpDefinition>({
    ...shared(settings),
    name: 'McpSettings',
    schema: fileSchema('McpSettings', ofService),
    readBy: contract.getMcpSettings,
    canonical: (definition) => assertSetsSomething(canonical(definition, mcpDefaults)),

    list: async () => {
      if (!settings) return [];
      const { values, version } = await settings.get();
      const definition = canonical(values, mcpDefaults);
      return Object.keys(definition).length === 0 ? [] : [{ id: 1, projectId: null, version, definition }];
    },

    endpoints: () => [contract.updateMcpSettings],

    create: async (by, input) => {
      const { change } = changeOf(input);
      await serviceOf(settings).update(by, change, { within: (tx) => input.within(tx, 1) });
      return nothingWaits;
    },
    update: async (by, { id, version }, input) => {
      const { change, unset } = changeOf(input);
      await serviceOf(settings).update(by, change, {
        expectedVersion: version,
        unset,
        within: (tx) => input.within(tx, id),
      });
      return nothingWaits;
    },
    remove: async (by, { version }) => {
      await serviceOf(settings).update(by, {}, { expectedVersion: version, unset: allFields });
    },
  });
}

/** Creates the kind of MCP settings for one project. Omitted members are inherited. */
export function mcpProjectSettingsKind({
  mcpSettings: settings,
}: {
  /** Undefined while MCP is disabled. */
  readonly mcpSettings: McpSettingsService | undefined;
}) {
  return defineKind<McpDefinition>({
    ...shared(settings),
    name: 'McpProjectSettings',
    schema: fileSchema('McpProjectSettings', ofProject),
    readBy: contract.getMcpProjectSettings,
    canonical: (definition) => assertSetsSomething(canonical(definition, {})),

    list: async (_caller, projects) => {
      if (!settings) return [];
      const records = await Promise.all(
        projects.map(async ({ id }) => {
          const { overrides, version } = await settings.getProject(id);
          return { id, projectId: id, version, definition: canonical(overrides as McpDefinition, {}) };
        }),
      );
      return records.filter(({ definition }) => Object.keys(definition).length > 0);
    },

    endpoints: () => [contract.updateMcpProjectSettings],

    create: async (by, input) => {
      const { projectId } = input;
      if (projectId === null) throw new Error('These settings stand in a project.');
      const { change } = changeOf(input);
      await serviceOf(settings).updateProject(by, projectId, change, {
        within: (tx) => input.within(tx, projectId),
      });
      return nothingWaits;
    },
    update: async (by, { id, version }, input) => {
      const { change, unset } = changeOf(input);
      await serviceOf(settings).updateProject(by, id, change, {
        expectedVersion: version,
        unset,
        within: (tx) => input.within(tx, id),
      });
      return nothingWaits;
    },
    remove: async (by, { id, version }) => {
      await serviceOf(settings).updateProject(by, id, {}, { expectedVersion: version, unset: allFields });
    },
  });
}

const allFields: readonly McpField[] = contract.mcpFields;
