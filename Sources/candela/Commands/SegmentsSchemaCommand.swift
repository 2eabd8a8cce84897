// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser

struct SegmentsSchemaCommand: CandelaCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Prints the JSON schema of a job (job.json).")

  func execute() async throws -> ExitStatus {
    try Console.printLine(Self.schema)
    return .done
  }

  /// The schema of `job.json`, in version 1 of its keys.
  private static let schema = """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "A job of segments",
      "type": "object",
      "required": [
        "version", "id", "input", "files", "output", "settings", "options", "software",
        "timescale", "segments"
      ],
      "properties": {
        "version": { "const": 1 },
        "id": { "type": "string", "pattern": "^[0-9a-f]{64}$" },
        "input": { "$ref": "#/$defs/file" },
        "files": { "type": "array", "items": { "$ref": "#/$defs/file" } },
        "output": { "type": "string" },
        "settings": { "type": "object" },
        "options": {
          "type": "object",
          "properties": {
            "sourceColor": { "type": "string" },
            "strict": { "type": "boolean" },
            "onError": { "enum": ["continue", "stop"] },
            "from": { "type": "string" },
            "to": { "type": "string" }
          }
        },
        "software": {
          "type": "object",
          "required": ["candela", "libraries", "kernels"],
          "properties": {
            "candela": { "type": "string" },
            "libraries": { "type": "object", "additionalProperties": { "type": "string" } },
            "kernels": { "enum": ["fused", "separate"] }
          }
        },
        "timescale": { "type": "integer", "minimum": 1 },
        "obstacle": { "type": "string" },
        "shots": {
          "type": "object",
          "required": ["shots"],
          "properties": {
            "shots": {
              "type": "array",
              "minItems": 1,
              "items": {
                "type": "object",
                "required": ["start", "peak", "keys"],
                "properties": {
                  "start": { "type": "number" },
                  "peak": { "type": "number" },
                  "keys": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                      "type": "object",
                      "required": ["time", "brightShare"],
                      "properties": {
                        "time": { "type": "number" },
                        "brightShare": { "type": "number", "minimum": 0, "maximum": 1 }
                      }
                    }
                  }
                }
              }
            }
          }
        },
        "segments": {
          "type": "array",
          "minItems": 1,
          "items": {
            "type": "object",
            "required": ["number", "frames"],
            "properties": {
              "number": { "type": "integer", "minimum": 0 },
              "rpus": {
                "type": "array", "items": { "type": "integer" }, "minItems": 2, "maxItems": 2
              },
              "frames": {
                "type": "object",
                "required": ["firstFrame"],
                "properties": {
                  "firstFrame": { "type": "integer", "minimum": 0 },
                  "frameCount": { "type": "integer", "minimum": 1 },
                  "start": { "type": "integer" },
                  "end": { "type": "integer" },
                  "before": { "type": "integer" },
                  "fullness": { "type": "number", "minimum": 0, "maximum": 1 },
                  "decoding": {
                    "type": "object",
                    "required": ["samples", "start", "last", "dropsLeading"],
                    "properties": {
                      "samples": {
                        "type": "array", "items": { "type": "integer" }, "minItems": 2,
                        "maxItems": 2
                      },
                      "start": { "type": "integer" },
                      "last": { "type": "integer" },
                      "dropsLeading": { "type": "boolean" }
                    }
                  }
                }
              }
            }
          }
        }
      },
      "$defs": {
        "file": {
          "type": "object",
          "required": ["path", "size", "modified", "digest"],
          "properties": {
            "path": { "type": "string" },
            "size": { "type": "integer", "minimum": 0 },
            "modified": { "type": "integer" },
            "digest": { "type": "string", "pattern": "^[0-9a-f]{64}$" }
          }
        }
      }
    }
    """
}
