import {
  type McpField,
  type McpOverrides,
  type McpProjectValues,
  type McpValues,
  mcpFields,
} from '@svc/contract';
import type { Config } from '../../../platform/config/index.ts';

/** Restrictions from the configuration. */
export type McpGovernance = {
  /** Upper bound for each number; absent means the bound of the setting itself. */
  readonly ceilings: Readonly<Partial<Record<McpField, number>>>;
  /** Tools that are disabled regardless of the settings. */
  readonly disabledTools: readonly string[];
  /** The audit never stores arguments, regardless of the settings. */
  readonly forcesNoContentRetention: boolean;
};

/** Default values. */
export const mcpDefaults: McpValues = {
  isEnabled: true,
  disabledTools: [],
  maxRows: 1_000,
  statementTimeoutSeconds: 30,
  maxResultBytes: 262_144,
  maxConcurrentCalls: 4,
  maxCallsPerMinute: 600,
  piiPatterns: [],
  keepsStatements: true,
  learns: true,
  savedQueries: 'Published',
  isAskEnabled: true,
  answersOnlyChecked: false,
  rowsToModel: 'Never',
  candidates: 1,
  instruction: null,
  toolDescriptions: {},
};

const numbers = [
  'maxRows',
  'statementTimeoutSeconds',
  'maxResultBytes',
  'maxConcurrentCalls',
  'maxCallsPerMinute',
] as const satisfies readonly McpField[];

/** Reads the restrictions of the settings from the configuration. */
export function mcpGovernance(config: Config): McpGovernance {
  const ceilings = {
    maxRows: config['Svc:Mcp:Ceilings:MaxRows'],
    statementTimeoutSeconds: config['Svc:Mcp:Ceilings:StatementTimeoutSeconds'],
    maxResultBytes: config['Svc:Mcp:Ceilings:MaxResultBytes'],
    maxConcurrentCalls: config['Svc:Mcp:Ceilings:MaxConcurrentCalls'],
    maxCallsPerMinute: config['Svc:Mcp:Ceilings:MaxCallsPerMinute'],
  };
  return {
    ceilings: Object.fromEntries(Object.entries(ceilings).filter(([, value]) => value !== undefined)),
    disabledTools: config['Svc:Mcp:DisabledTools'],
    forcesNoContentRetention: config['Svc:Mcp:ForceNoContentRetention'],
  };
}

/** Stored settings of all projects or of one project. Contains only members that were set. */
export type StoredValues = Partial<McpValues>;

/**
 * Returns the effective values. Precedence: locks, project, all projects, defaults. Ceilings apply last and only lower
 * values.
 */
export function effectiveValues(
  governance: McpGovernance,
  global: StoredValues,
  project: StoredValues = {},
): McpValues {
  const set = { ...mcpDefaults, ...global, ...project };
  const capped = Object.fromEntries(
    numbers.map((field) => [field, Math.min(set[field], governance.ceilings[field] ?? set[field])]),
  ) as Pick<McpValues, (typeof numbers)[number]>;
  return {
    ...set,
    ...capped,
    disabledTools: [...new Set([...set.disabledTools, ...governance.disabledTools])].sort(),
    keepsStatements: set.keepsStatements && !governance.forcesNoContentRetention,
  };
}

/** Returns the values that a project can set. */
export function projectValues(values: McpValues): McpProjectValues {
  const { instruction: _instruction, toolDescriptions: _descriptions, ...settable } = values;
  return settable;
}

/** Returns all members of a project's settings; null for inherited members. */
export const overridesOf = (stored: StoredValues): McpOverrides => ({
  isEnabled: stored.isEnabled ?? null,
  disabledTools: stored.disabledTools ?? null,
  maxRows: stored.maxRows ?? null,
  statementTimeoutSeconds: stored.statementTimeoutSeconds ?? null,
  maxResultBytes: stored.maxResultBytes ?? null,
  maxConcurrentCalls: stored.maxConcurrentCalls ?? null,
  maxCallsPerMinute: stored.maxCallsPerMinute ?? null,
  piiPatterns: stored.piiPatterns ?? null,
  keepsStatements: stored.keepsStatements ?? null,
  learns: stored.learns ?? null,
  savedQueries: stored.savedQueries ?? null,
  isAskEnabled: stored.isAskEnabled ?? null,
  answersOnlyChecked: stored.answersOnlyChecked ?? null,
  rowsToModel: stored.rowsToModel ?? null,
  candidates: stored.candidates ?? null,
});

export const lockedFields = (governance: McpGovernance): McpField[] =>
  governance.forcesNoContentRetention ? ['keepsStatements'] : [];

/** Returns fields whose stored value exceeds the configured ceiling. */
export const clampedFields = (governance: McpGovernance, stored: StoredValues): McpField[] =>
  numbers.filter((field) => (stored[field] ?? 0) > (governance.ceilings[field] ?? Number.POSITIVE_INFINITY));

/** Returns the reason why the configuration forbids a change; undefined when it is allowed. */
export function lockAgainst(
  governance: McpGovernance,
  change: Readonly<Partial<Record<McpField, unknown>>>,
): { field: McpField; detail: string } | undefined {
  for (const field of mcpFields) {
    const value = change[field];
    if (value === undefined || value === null) continue;
    if (field === 'keepsStatements' && governance.forcesNoContentRetention && value === true)
      return {
        field,
        detail: 'The setting Svc:Mcp:ForceNoContentRetention keeps arguments out of the audit.',
      };
    const ceiling = governance.ceilings[field];
    if (ceiling !== undefined && typeof value === 'number' && value > ceiling)
      return {
        field,
        detail: `The setting Svc:Mcp:Ceilings:${field.charAt(0).toUpperCase()}${field.slice(1)} allows ${ceiling} at most.`,
      };
  }
  return undefined;
}
