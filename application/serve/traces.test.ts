import assert from 'node:assert/strict';
import test from 'node:test';
import { startApplication } from '../testing/start-application.ts';

test('an SDK of OpenTelemetry that is loaded before the application gets its spans', async (t) => {
  const sdk = import.meta.resolve('@opentelemetry/sdk-trace-node');
  const register = `import { ConsoleSpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '${sdk}';
    const spanProcessors = [new SimpleSpanProcessor(new ConsoleSpanExporter())];
    new NodeTracerProvider({ spanProcessors }).register();`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(register)}`;
  const site = await startApplication({ NODE_OPTIONS });
  t.after(() => site.stop());
  assert.equal((await fetch(`${site.url}/items`)).status, 200);
  await site.stop();
  assert.match(site.output().log, /name: 'GET \/items'/);
});
