/** Of gRPC's codes, those that say that waiting does not help. */
const codes = { notFound: 5, permissionDenied: 7, unauthenticated: 16 };

/**
 * What is wrong with the way to Temporal, as a sentence that names the variable and the way out;
 * undefined for an error that says something else. Imports nothing: the command line needs it
 * before anything is loaded.
 */
export function temporalFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const namespace = missingNamespace(error);
  if (namespace !== undefined) {
    return (
      `TEMPORAL_NAMESPACE: Temporal has no namespace "${namespace}". Set it to one that is there, ` +
      `or create it: temporal operator namespace create -n ${namespace} --retention 30d`
    );
  }
  const code = codeOf(error);
  if (code !== codes.permissionDenied && code !== codes.unauthenticated) return undefined;
  return (
    `TEMPORAL_API_KEY: Temporal refuses it, or the certificate (${reasonOf(error)}). Check ` +
    'TEMPORAL_API_KEY, TEMPORAL_TLS_CLIENT_CERT_PATH and whether they may use TEMPORAL_NAMESPACE.'
  );
}

function missingNamespace(error: Error): string | undefined {
  if (error.name === 'NamespaceNotFoundError' && 'namespace' in error) {
    return String(error.namespace);
  }
  if (codeOf(error) !== codes.notFound) return undefined;
  return /Namespace (\S+) is not found/.exec(error.message)?.[1];
}

/** Where a client has put words of its own around it, it is the cause. */
function codeOf(error: Error): unknown {
  if ('code' in error && error.code !== undefined) return error.code;
  return error.cause instanceof Error ? codeOf(error.cause) : undefined;
}

function reasonOf(error: Error): string {
  const { message } = error.cause instanceof Error ? error.cause : error;
  return message.replace(/^\d+ [A-Z_]+: /, '').replace(/\.$/, '');
}
