"""Many tables seen by one director, over MQTT: tables tell of themselves, the director's view hears and believes what
is sound. Nothing goes the other way: a table takes nothing from MQTT, and a director rules at the table."""

from boardctl.hall.messages import VERSION, Line, LineStatus, MessageError, TableState, read_message, topic_of

__all__ = ["VERSION", "Line", "LineStatus", "MessageError", "TableState", "read_message", "topic_of"]
