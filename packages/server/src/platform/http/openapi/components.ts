import * as contract from '@svc/contract';
import type { TSchema } from 'typebox';
import { closed } from '../input/validation.ts';

type Json = Record<string, unknown>;

/** Named schemas of a document, and references to them. */
export type Components = {
  /** Returns the reference to a response's schema. `name` applies to a schema without its own name. */
  readonly answer: (schema: TSchema, name: string) => Json;
  /** Returns the reference to a body's schema, closed as in validation. All responses must be registered before. */
  readonly body: (schema: TSchema, name: string) => Json;
  readonly schemas: () => Json;
};

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Shapes that the contract exports, with their export names. */
const exportedNames = new Map<unknown, string>(
  Object.entries(contract)
    .filter(([, value]) => isObject(value) && ('~kind' in value || '~unsafe' in value))
    .map(([name, value]) => [value, `${name.charAt(0).toUpperCase()}${name.slice(1)}`]),
);

/** Returns the name of a schema. Scalars get none, because it would add nothing to their schema. */
const nameOf = (schema: Json): string | undefined => {
  if (typeof schema['$id'] === 'string') return schema['$id'];
  return schema['properties'] === undefined ? undefined : exportedNames.get(schema);
};

/** Collects the named schemas of a document. One name for two different schemas is an error of the contract. */
export function createComponents(): Components {
  const schemas = new Map<string, { readonly schema: Json; readonly text: string }>();

  const has = (name: string, text: string): boolean => schemas.get(name)?.text === text;

  function register(name: string, schema: Json, isBody: boolean): string {
    const text = JSON.stringify(schema);
    // Bodies refuse unknown members, so that the same shape in a response is a different schema.
    const schemaName = isBody && schemas.has(name) && !has(name, text) ? `${name}Input` : name;
    if (schemas.has(schemaName) && !has(schemaName, text))
      throw new Error(`Two schemas of the contract are named ${schemaName}, and are not the same.`);
    schemas.set(schemaName, { schema, text });
    return schemaName;
  }

  function refer(schema: Json, name: string, isBody: boolean): Json {
    const { $id: _id, description, ...rest } = place(schema, isBody) as Json;
    const { type } = rest;
    const isNullable = Array.isArray(type) && type.includes('null');
    const definition = isNullable ? { ...rest, type: withoutNull(type) } : rest;
    const reference = {
      $ref: `#/components/schemas/${register(name, isBody ? closed(definition) : definition, isBody)}`,
    };
    const meant = isNullable ? { anyOf: [reference, { type: 'null' }] } : reference;
    return description === undefined ? meant : { ...meant, description };
  }

  /** Returns the schema with references to the named schemas inside it. The schema itself is not replaced. */
  function place(schema: unknown, isBody: boolean): unknown {
    if (Array.isArray(schema)) return schema.map((one) => placeNamed(one, isBody));
    if (!isObject(schema)) return schema;
    return Object.fromEntries(
      Object.entries(schema).map(([member, value]) => [
        member,
        // The members of `properties` are schemas. `properties` itself is none, regardless of the names of its
        // members.
        member === 'properties' && isObject(value)
          ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, placeNamed(one, isBody)]))
          : placeNamed(value, isBody),
      ]),
    );
  }

  function placeNamed(schema: unknown, isBody: boolean): unknown {
    const name = isObject(schema) ? nameOf(schema) : undefined;
    return isObject(schema) && name !== undefined ? refer(schema, name, isBody) : place(schema, isBody);
  }

  return {
    answer: (schema, name) => refer(schema as Json, nameOf(schema as Json) ?? name, false),
    body: (schema, name) => refer(schema as Json, nameOf(schema as Json) ?? name, true),
    schemas: () =>
      Object.fromEntries(
        [...schemas]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, { schema }]) => [name, schema] as const),
      ),
  };
}

function withoutNull(types: readonly unknown[]): unknown {
  const others = types.filter((type) => type !== 'null');
  return others.length === 1 ? others[0] : others;
}
