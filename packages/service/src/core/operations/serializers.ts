import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";

type SerializerFactory = ReturnType<typeof SerializerSelector>;
type Serializer = ReturnType<ReturnType<SerializerFactory>>;

const compilerFor = SerializerSelector();
/** By the shape of an answer and the schemas that it may refer to. There are as many as the code declares. */
const serializers = new Map<string, Serializer>();

/**
 * How the framework comes to the function that writes an answer. Most answers have one of a few shapes, above all that
 * of an error: each is compiled once, instead of for every route and status.
 */
export const buildSerializer: SerializerFactory = (schemas, options) => {
  const compile = compilerFor(schemas, options);
  const surroundings = JSON.stringify(schemas);
  return (answer) => {
    const shape = `${JSON.stringify(answer.schema)} in ${surroundings}`;
    const serializer = serializers.get(shape) ?? compile(answer);
    serializers.set(shape, serializer);
    return serializer;
  };
};
