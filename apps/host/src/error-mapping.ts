import { BusinessRuleError, type ErrorMapping, Refusal } from '@svc/server';

/**
 * How the sample host turns errors into problems: its business rules answer 400 with one of two types, whatever
 * else escapes is `/errors/internal`. An embedding application brings a mapping of its own.
 */
export const errorMapping: ErrorMapping = (error) => {
  if (!(error instanceof BusinessRuleError)) return undefined;
  return new Refusal(400, {
    type: error.isDomainRule ? '/errors/beacon' : '/errors/invalid-operation',
    title: error.message,
  });
};
