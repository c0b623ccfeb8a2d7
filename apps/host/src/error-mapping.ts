import { BusinessRuleError, type ErrorMapping, HttpProblem, hostProblemKinds } from '@svc/server';

/**
 * How the sample host turns errors into problems: a broken business rule answers 400 with one of two types, whatever
 * else escapes is the service's `/errors/internal`. An embedding application brings a mapping of its own.
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
