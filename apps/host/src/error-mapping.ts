import { BusinessRuleError, type ErrorMapping, HttpProblem, hostProblemKinds } from '@svc/server';

/**
 * Maps errors of the sample host to problems. A broken business rule answers 400 with one of two types; all other
 * errors become the service's `/errors/internal`. An embedding application supplies its own mapping.
 */
export const errorMapping: ErrorMapping = (error) => {
  if (!(error instanceof BusinessRuleError)) return undefined;
  const { code, detail, errors } = error;
  const kind = error.isDomainRule ? 'beacon' : 'invalid-operation';
  return new HttpProblem(400, {
    type: `/errors/${kind}`,
    title: hostProblemKinds[kind].title,
    ...(code !== undefined && { code }),
    ...(detail !== undefined && { detail }),
    ...(errors && { errors }),
  });
};
