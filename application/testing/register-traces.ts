/** For `node --import`: an SDK of OpenTelemetry, as a team that collects traces would load it. */
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

new NodeTracerProvider().register();
