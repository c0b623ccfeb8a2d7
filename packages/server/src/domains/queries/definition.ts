import type { QueryParameter, QueryStepInput } from '@svc/contract';
import { bindParameters } from '../../gateways/run-sql/index.ts';
import { badRequest, brokenRule } from '../../platform/http/index.ts';
import { declarationsOf } from './plan.ts';

/** Input of a save. */
export type QueryDefinition = {
  readonly name: string;
  readonly description?: string | null;
  readonly steps?: readonly QueryStepInput[];
  readonly finalQuery?: string | null;
  readonly parameters?: readonly QueryParameter[];
};

/** Values of parameters, by name. */
export type ParameterValues = Readonly<Record<string, unknown>>;

/** Returns the fields of a definition that the row of the query stores. */
export const fieldsOf = (definition: QueryDefinition) => ({
  name: definition.name.trim(),
  description: definition.description ?? null,
  finalQuery: definition.finalQuery?.trim() ? definition.finalQuery : null,
  parameters: definition.parameters ?? [],
});

/** Checks rules that schemas cannot express: unique names, and defaults of the declared type. */
export function checkDefinition(definition: QueryDefinition): void {
  refuseRepeated(
    (definition.steps ?? []).map((step) => step.name ?? null),
    'steps',
  );
  refuseRepeated(
    (definition.steps ?? []).map((step) => step.key ?? null),
    'steps',
    'key',
  );
  refuseRepeated(
    (definition.parameters ?? []).map((parameter) => parameter.name),
    'parameters',
  );
  checkParameterValues(definition.parameters ?? [], undefined);
}

function refuseRepeated(names: readonly (string | null)[], list: string, member = 'name'): void {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    const key = name?.toLowerCase();
    if (key === undefined) continue;
    if (seen.has(key))
      throw brokenRule('name-repeated', `The ${member} ${name} is given twice.`, [
        { path: `/${list}/${index}/${member}`, message: 'is given twice' },
      ]);
    seen.add(key);
  }
}

/**
 * Checks values against the parameters of a query. Without values it checks only the defaults.
 *
 * @throws Refusal that names the parameter.
 */
export function checkParameterValues(
  parameters: readonly QueryParameter[],
  values: ParameterValues | undefined,
): void {
  const declared = declarationsOf(parameters).map((declaration) =>
    values === undefined ? { ...declaration, isRequired: false } : declaration,
  );
  try {
    bindParameters({ declared, values: values ?? {} });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw badRequest('invalid-parameters', message, [{ path: '/parameters', message }]);
  }
}
