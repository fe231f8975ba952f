import { useMemo } from 'react'
import { createRoot } from 'react-dom/client'
import { HttpAgent } from '@ag-ui/client'
import {
  AssistantRuntimeProvider, AuiConfig, ComposerPrimitive, ErrorPrimitive, ExportedMessageRepository, MessagePrimitive, ThreadPrimitive, Tools,
  type ThreadHistoryAdapter, type Toolkit,
} from '@assistant-ui/react'
import { fromAgUiMessages, useAgUiRuntime } from '@assistant-ui/react-ag-ui'

const as = new URLSearchParams(location.search).get('as') ?? 'noa'

/** Sends each request with a token of the host's session, which may be a new one. */
async function withToken(url: string, init: RequestInit): Promise<Response> {
  const { token } = (await (await fetch(`/session/token?as=${as}`)).json()) as { token: string }
  const headers = new Headers(init.headers)
  headers.set('Authorization', `Bearer ${token}`)
  return fetch(url, { ...init, headers })
}

/** One conversation for each tab, so that a reload finds it again. */
function thread(): string {
  const kept = sessionStorage.getItem('thread') ?? crypto.randomUUID()
  sessionStorage.setItem('thread', kept)
  return kept
}

const agentOf = (threadId: string) => new HttpAgent({ url: '/v1/agui', threadId, fetch: withToken })

/** What the server has: a run that says nothing is answered with it. */
async function past(): Promise<ExportedMessageRepository> {
  const reader = agentOf(thread())
  await reader.runAgent()
  return ExportedMessageRepository.fromArray(fromAgUiMessages(reader.messages as Parameters<typeof fromAgUiMessages>[0]))
}

const toolkit: Toolkit = {
  highlight: {
    type: 'frontend',
    description: 'Marks a shelf on the page.',
    parameters: { type: 'object', properties: { shelf: { type: 'string' } }, required: ['shelf'] },
    execute: async ({ shelf }: { shelf: string }) => {
      const found = document.getElementById(`shelf-${shelf}`)
      found?.classList.add('marked')
      return { marked: found !== null }
    },
    renderText: { running: 'Marking…', complete: 'Marked a shelf' },
  },
}

function User() {
  return (
    <MessagePrimitive.Root className="user">
      <MessagePrimitive.Parts />
    </MessagePrimitive.Root>
  )
}

function Assistant() {
  return (
    <MessagePrimitive.Root className="assistant">
      <MessagePrimitive.Parts components={{ tools: { Fallback: ({ toolName }) => <div className="tool">{toolName}</div> } }} />
      <MessagePrimitive.Error>
        <ErrorPrimitive.Root className="error">
          <ErrorPrimitive.Message />
        </ErrorPrimitive.Root>
      </MessagePrimitive.Error>
    </MessagePrimitive.Root>
  )
}

/** What failed is shown at its message; a copy that is not the server's is fetched anew. */
function onError(error: Error & { status?: number; payload?: unknown }): void {
  if (error.status === 409 && String(error.payload).includes('"history_diverged"')) location.reload()
}

function Chat({ history }: { history: ThreadHistoryAdapter }) {
  const agent = useMemo(() => agentOf(thread()), [])
  const runtime = useAgUiRuntime({ agent, adapters: { history }, onError })
  return (
    <AssistantRuntimeProvider runtime={runtime} config={AuiConfig({ tools: Tools({ toolkit }) })}>
      <ThreadPrimitive.Root className="thread">
        <ThreadPrimitive.Viewport>
          <ThreadPrimitive.Messages components={{ UserMessage: User, AssistantMessage: Assistant }} />
        </ThreadPrimitive.Viewport>
      </ThreadPrimitive.Root>
      <ComposerPrimitive.Root>
        <ComposerPrimitive.Input aria-label="Message" placeholder="Ask the shop" />
        <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
      </ComposerPrimitive.Root>
    </AssistantRuntimeProvider>
  )
}

// The history is read before the chat is there: what is sent while assistant-ui reads it, it drops. Nothing is written back,
// because the server has it already.
const read = await past()
createRoot(document.getElementById('chat')!).render(<Chat history={{ load: async () => read, append: async () => {} }} />)
