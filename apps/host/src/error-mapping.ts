import { BusinessRuleError, type ErrorMapping, Refusal } from '@svc/server';

/**
 * How the sample host turns errors into problems: a broken business rule answers 400 with one of two types, whatever
 * else escapes is the service's `/errors/internal`. An embedding application brings a mapping of its own.
 */
export const errorMapping: ErrorMapping = (error) => {
  if (!(error instanceof BusinessRuleError)) return undefined;
  const { code, detail, errors } = error;
  return new Refusal(400, {
    type: error.isDomainRule ? '/errors/beacon' : '/errors/invalid-operation',
    title: error.isDomainRule ? 'A business rule is broken' : 'This is not possible now',
    ...(code !== undefined && { code }),
    ...(detail !== undefined && { detail }),
    ...(errors && { errors }),
  });
};
