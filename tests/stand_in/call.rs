//! A tool call as an agent makes it, and what will become of it.

use serde_json::{Value, json};

/// One tool call of a reply.
#[derive(Clone, Debug)]
pub struct Call {
    pub id: String,
    pub name: String,
    /// The arguments as they stand on the wire: JSON text, or free text.
    pub arguments: String,
    /// What the timeline says of the call, in one line.
    pub preview: String,
    pub fate: Fate,
}

/// What becomes of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// It runs until its agent's next request; it is lost if that brings no result.
    Runs,
    /// The agent's next request brings this result.
    Ends { text: String, error: bool },
    /// No result will ever come.
    Lost,
}

impl Call {
    pub fn new(name: &str, id: &str, preview: &str, arguments: &Value) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            arguments: arguments.to_string(),
            preview: preview.into(),
            fate: Fate::Runs,
        }
    }

    pub fn gives(mut self, text: impl Into<String>) -> Self {
        self.fate = Fate::Ends { text: text.into(), error: false };
        self
    }

    pub fn fails(mut self, text: impl Into<String>) -> Self {
        self.fate = Fate::Ends { text: text.into(), error: true };
        self
    }

    pub fn lost(mut self) -> Self {
        self.fate = Fate::Lost;
        self
    }

    /// With one argument more.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        if let Ok(Value::Object(mut arguments)) = serde_json::from_str(&self.arguments) {
            arguments.insert(key.into(), value.into());
            self.arguments = Value::Object(arguments).to_string();
        }
        self
    }
}

pub fn bash(id: &str, command: &str) -> Call {
    Call::new("Bash", id, command, &json!({ "command": command }))
}

pub fn read(id: &str, path: &str) -> Call {
    Call::new("Read", id, path, &json!({ "file_path": path }))
}

pub fn edit(id: &str, path: &str, old: &str, new: &str) -> Call {
    Call::new("Edit", id, path, &json!({ "file_path": path, "old_string": old, "new_string": new }))
}

pub fn write(id: &str, path: &str, content: &str) -> Call {
    Call::new("Write", id, path, &json!({ "file_path": path, "content": content }))
}

pub fn grep(id: &str, pattern: &str, path: &str) -> Call {
    Call::new("Grep", id, pattern, &json!({ "pattern": pattern, "path": path }))
}

pub fn glob(id: &str, pattern: &str) -> Call {
    Call::new("Glob", id, pattern, &json!({ "pattern": pattern }))
}

/// The call that starts a sub-agent; the timeline sees only the start of it.
pub fn agent(id: &str, kind: &str, description: &str, prompt: &str) -> Call {
    Call::new(
        "Agent",
        id,
        description,
        &json!({ "subagent_type": kind, "description": description, "prompt": prompt, "run_in_background": true }),
    )
}

/// The call with which a sub-agent hands its findings back; it ends the run.
pub fn handback(id: &str, findings: &str) -> Call {
    Call::new("SubagentHandback", id, "", &json!({ "result": findings })).lost()
}

/// The call with which an agent gives its answer in a fixed form; it ends the run.
pub fn structured_output(id: &str, answer: &Value) -> Call {
    Call::new("StructuredOutput", id, "", answer).lost()
}
