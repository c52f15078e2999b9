/** What a person sees and hears. */
import * as z from 'zod';
import { anyMap, bool, int, mapOf, num, oneOf, openSection, optionalText, section, text, texts } from './kinds.ts';

const LANGUAGES = 'en zh zh-hant ja de es fr tr uk af ko it ga pt ru hu'.split(' ') as [string, ...string[]];

const display = section(
  {
    interface: oneOf(['cli', 'tui'], 'cli', 'Interface that `hermes` opens.'),
    skin: text('default', 'Colours and symbols.'),
    personality: text('', 'Personality in force.'),
    language: oneOf(LANGUAGES, 'en', 'Language of fixed texts.'),
    compact: bool(false, 'Less space between things.'),
    tool_progress: oneOf(['off', 'new', 'all', 'verbose', 'log'], 'all', 'How much of the tools’ work is shown.'),
    tool_preview_length: int(0, 'Longest preview of a call; 0 automatic.'),
    friendly_tool_labels: bool(true, 'Words instead of tool names.'),
    tool_progress_command: bool(false, 'Offer `/verbose` in chats.'),
    tool_progress_grouping: oneOf(['accumulate', 'separate'], 'accumulate', 'One growing message or one each.'),
    cleanup_progress: bool(false, 'Remove progress messages at the end.'),
    streaming: bool(true, 'Show answers while they are written.'),
    show_reasoning: bool(true, 'Show the model’s reasoning.'),
    reasoning_full: bool(false, 'All of it.'),
    reasoning_style: oneOf(['code', 'quote', 'plain'], 'code', 'How it looks in chats.'),
    show_commentary: bool(true, 'Show what the model says between tools.'),
    final_response_markdown: oneOf(['strip', 'render', 'raw'], 'strip', 'What becomes of Markdown in the terminal.'),
    inline_diffs: bool(true, 'Show changes to files.'),
    persist_prompts: bool(true, 'Keep answered questions on screen.'),
    busy_input_mode: oneOf(['interrupt', 'queue', 'steer'], 'interrupt', 'What a message does while the agent works.'),
    busy_steer_ack_enabled: bool(true, 'Confirm that a hint was taken.'),
    busy_ack_detail: bool(true, 'Say what the agent is busy with.'),
    resume_display: oneOf(['full', 'minimal', 'none'], 'full', 'What is shown of a resumed session.'),
    resume_exchanges: int(10, 'Exchanges shown.'),
    resume_max_user_chars: int(300, 'Most characters of your messages.'),
    resume_max_assistant_chars: int(200, 'Most characters of answers.'),
    resume_max_assistant_lines: int(3, 'Most lines of answers.'),
    resume_skip_tool_only: bool(true, 'Leave out steps that only call tools.'),
    bell_on_complete: bool(false, 'Ring when a turn ends.'),
    bell_on_prompt: bool(false, 'Ring when a question waits.'),
    timestamps: bool(false, 'Show times.'),
    timestamp_format: text('%H:%M', 'Their form.'),
    show_cost: bool(false, 'Show what a turn cost.'),
    battery: bool(false, 'Show the battery.'),
    vim_mode: bool(false, 'Edit with vi keys.'),
    focus_view: bool(false, 'Only questions and answers.'),
    focus_saved_tool_progress: text('all', 'Progress setting to return to.'),
    turn_summary: bool(true, 'One line about a finished turn.'),
    spinner_token_flow: bool(true, 'Show tokens while waiting.'),
    turn_completion_explainer: bool(true, 'Say why a turn ended early.'),
    file_mutation_verifier: bool(true, 'Check claims about changed files.'),
    memory_notifications: oneOf(['on', 'off', 'verbose'], 'on', 'Say what was remembered.'),
    status_bar: section({ fields: texts([], 'Fields, in fixed order. Empty: the usual ones.') }, 'Status bar.'),
    runtime_footer: section(
      {
        enabled: bool(false, 'A line under answers in chats.'),
        fields: texts(['model', 'context_pct', 'cwd'], 'What it holds.'),
      },
      'Footer.',
    ),
    interim_assistant_messages: bool(true, 'Send what the model says between tools.'),
    long_running_notifications: bool(true, 'Say that work goes on.'),
    background_process_notifications: oneOf(
      ['all', 'result', 'error', 'concise', 'off'],
      'concise',
      'Tell of background processes.',
    ),
    suppress_warning_notifications: bool(false, 'No warnings in chats.'),
    ephemeral_system_ttl: int(0, 'Seconds after which notices are removed; 0 never.'),
    status_phrases: anyMap('Phrases shown while working.'),
    credits_notices: bool(true, 'Tell when credit runs low.'),
    platforms: mapOf(z.record(z.string(), z.unknown()), 'Any of these settings per platform.'),
    cli_multiline_shortcuts: bool(true, 'Keys for new lines.'),
    cli_refresh_interval: num(1, 'Seconds between refreshes of the status bar.', 0),
    persistent_output: bool(true, 'Keep output when the window changes.'),
    persistent_output_max_lines: int(200, 'Lines kept.'),
    cli_rebuild_scrollback_on_redraw: bool(false, 'Write the scroll-back anew after a change of size.'),
    user_message_preview: section(
      { first_lines: int(2, 'Lines shown from the start.'), last_lines: int(2, 'Lines shown from the end.') },
      'Long messages of yours.',
    ),
    copy_shortcut: text('auto', 'Key that copies.'),
    details_mode: oneOf(['collapsed', 'expanded', 'hidden'], 'collapsed', 'Details in the full-screen interface.'),
    sections: anyMap('Which of its sections are open.'),
    mouse_tracking: oneOf(['all', 'wheel', 'off'], 'all', 'Mouse in the full-screen interface.'),
    tui_status_indicator: text('kaomoji', 'Its sign of life.'),
    tui_auto_resume_recent: bool(false, 'Open the last session.'),
    tui_agents_nudge: bool(true, 'Point to running sub-agents.'),
    pet: anyMap('A small companion.'),
  },
  'What is shown.',
);

const voice = section(
  {
    record_key: text('ctrl+b', 'Key that records.'),
    submit_mode: oneOf(['direct', 'review'], 'direct', 'Send at once or let you edit.'),
    max_recording_seconds: int(120, 'Longest recording.', 1),
    auto_tts: bool(false, 'Read answers aloud.'),
    beep_enabled: bool(true, 'Beep at start and end.'),
    beep_volume: num(0.3, 'How loud.', 0, 1),
    thinking_sound: bool(true, 'A sound while working.'),
    silence_threshold: int(200, 'Loudness that counts as silence.'),
    silence_duration: num(3, 'Seconds of silence that end a recording.'),
    barge_in: bool(true, 'Speaking interrupts.'),
    stop_phrases: texts(['stop'], 'Words that end voice mode.'),
  },
  'Voice.',
);

const tts = openSection(
  {
    provider: text('edge', 'Who speaks.'),
    speed: num(1, 'How fast.', 0.25, 4),
    edge: section({ voice: text('en-US-AriaNeural', 'Voice.') }, 'Edge.'),
    openai: section({ model: text('gpt-4o-mini-tts', 'Model.'), voice: text('alloy', 'Voice.') }, 'OpenAI.'),
    elevenlabs: section(
      { voice_id: text('', 'Voice.'), model_id: text('eleven_multilingual_v2', 'Model.') },
      'ElevenLabs.',
    ),
  },
  'Speech; further providers by name.',
);

const stt = openSection(
  {
    enabled: bool(true, 'Write voice messages down.'),
    echo_transcripts: bool(true, 'Show what was understood.'),
    provider: optionalText('Who listens. Not set: local, then groq, then openai.'),
    language: text('en', 'Language spoken.'),
    prompt: text('', 'Words to expect.'),
    local: section({ model: text('base', 'Model.') }, 'On this machine.'),
    groq: section({ model: text('whisper-large-v3-turbo', 'Model.') }, 'Groq.'),
    openai: section({ model: text('whisper-1', 'Model.') }, 'OpenAI.'),
  },
  'Understanding speech; further providers by name.',
);

export const displaySettings = {
  display,
  paste_collapse_threshold: int(5, 'Lines above which a paste is shown as one mark.'),
  paste_collapse_threshold_fallback: int(5, 'The same in terminals that do not tell pastes.'),
  paste_collapse_char_threshold: int(2000, 'Characters above which that happens.'),
  voice,
  tts,
  stt,
  wake_word: openSection({ enabled: bool(false, 'Listen for a word.') }, 'Wake word.'),
  human_delay: section(
    {
      mode: oneOf(['off', 'natural', 'custom'], 'off', 'Pause between messages as a person would.'),
      min_ms: int(800, 'Shortest pause.'),
      max_ms: int(2500, 'Longest pause.'),
    },
    'Pauses.',
  ),
  desktop: anyMap('Desktop program.'),
  onboarding: section(
    { seen: anyMap('What was explained already.'), profile_build: text('ask', 'Whether to ask about you.') },
    'First steps.',
  ),
};
