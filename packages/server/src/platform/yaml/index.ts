/** Reads and writes YAML 1.2 documents. Reading is strict, because documents are untrusted. */
export { isObject, type Json, type JsonObject } from './json.ts';
export { documentBytesMax, readYaml, writeYaml, YamlError } from './yaml.ts';
