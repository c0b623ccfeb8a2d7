import { Ajv, type ErrorObject } from 'ajv';
import addFormatsModule from 'ajv-formats';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import type { MemberError } from '../refusals/http-problem.ts';
import { unknownMemberMessage } from '../refusals/unknown-member.ts';
import { createCompiledSchemas } from './compiled-schemas.ts';

const addFormats = addFormatsModule as unknown as (ajv: Ajv) => void;

/** Nothing is dropped, and at most so many members are named in one refusal as `toProblem` shows. */
const common = {
  removeAdditional: false,
  useDefaults: true,
  allErrors: false,
  allowUnionTypes: true,
  strict: false,
  // Errors name the schema of the object, which lists its members.
  verbose: true,
} as const;

/** Several times what one service has; more only comes of services with schemas of their own in one process. */
const entriesMax = 2_000;

const formats = new Ajv(common);
addFormats(formats);
const isRfc3339 = formats.compile({ type: 'string', format: 'date-time' });
// RFC 3339 knows leap seconds, a `Date` does not.
const isTime = (text: string): boolean => isRfc3339(text) && !Number.isNaN(Date.parse(text));

/** A validator puts its errors beside itself; they are read before anything else can call it. */
function compiledValidators(coerceTypes: false | 'array') {
  // JSON allows 1e999, which is read as Infinity: with `strictNumbers` it is no number at all. Beside coercion that
  // option would pass over the bounds of what is infinite; there the bounds themselves refuse it.
  const ajv = new Ajv({ ...common, coerceTypes, strictNumbers: coerceTypes === false });
  addFormats(ajv);
  ajv.addFormat('date-time', isTime);
  return createCompiledSchemas({
    compile: (schema) => ajv.compile(schema),
    entriesMax,
    onEvicted: (schema) => ajv.removeSchema(schema),
  });
}

// Bodies say what they mean: no "1" for 1. Paths and query strings are text and have to be turned into numbers.
const exact = compiledValidators(false);
const coercing = compiledValidators('array');
const serializers = createCompiledSchemas({ compile: (schema) => fastJsonStringify(schema), entriesMax });

/**
 * Validators of request parts: bodies exactly, everything else with coercion. The first request of a route compiles its
 * schemas, because compiling all schemas takes a fifth of the processor time of a start.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const compiled = onFirstUse(() => (httpPart === 'body' ? exact : coercing).of(schema));
  // Fastify reads the errors beside the function that it calls.
  const validator = (value: unknown): boolean => {
    const validate = compiled();
    const isValid = validate(value);
    validator.errors = validate.errors ?? null;
    return isValid;
  };
  validator.errors = null as ErrorObject[] | null;
  return validator;
};

/** Serialisers of answers, compiled by the first answer. */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  const compiled = onFirstUse(() => serializers.of(schema));
  return (value) => compiled()(value);
};

function onFirstUse<F>(make: () => F): () => F {
  let made: F | undefined;
  return () => (made ??= make());
}

/** How many schemas this process compiled, for validators and serialisers together. */
export const compiledSchemaCount = (): number =>
  exact.compiledCount() + coercing.compiledCount() + serializers.compiledCount();

/**
 * A validator of what a body would be, for input that comes inside another message: the member at fault and what is
 * wrong with it, or undefined.
 */
export function bodyValidator(schema: object): (value: unknown) => string | undefined {
  const faultOf = memberValidator(schema);
  return (value) => {
    const fault = faultOf(value);
    return fault && `${fault.path.replace(/^\//, '') || 'it'} ${fault.message}`;
  };
}

/** The same with the member as a JSON pointer; that of the whole is empty. */
export function memberValidator(schema: object): (value: unknown) => MemberError | undefined {
  const compiled = onFirstUse(() => exact.of(schema));
  return (value) => {
    const validate = compiled();
    if (validate(value)) return undefined;
    const [first] = validate.errors ?? [];
    const missing = first?.params['missingProperty'] ?? first?.params['additionalProperty'];
    const path = [first?.instancePath, missing].filter(Boolean).join('/');
    const member = path === '' || path.startsWith('/') ? path : `/${path}`;
    if (first?.keyword === 'required') return { path: member, message: 'is required' };
    if (first?.keyword === 'additionalProperties')
      return { path: member, message: unknownMemberMessage(first.parentSchema) };
    return { path: member, message: first?.message ?? 'is not valid' };
  };
}

/** The same schema with every object closed: members that it does not name are refused. */
export function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value)]),
  ) as Record<string, unknown>;
  if (copy['type'] === 'object' && copy['properties'] && copy['additionalProperties'] === undefined)
    copy['additionalProperties'] = false;
  return copy as T;
}
