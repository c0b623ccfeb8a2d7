/** Documents in YAML 1.2: read with care, since they come from outside, and written. */
export { isObject, type Json, type JsonObject } from './json.ts';
export { documentBytesMax, readYaml, writeYaml, YamlError } from './yaml.ts';
